/** What the languages bring with them and a file of a project can stand in for: `sys.stdlib_module_names` and the like. */

const PYTHON =
  "abc argparse array ast asyncio atexit base64 bdb binascii bisect bz2 cProfile calendar cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest email encodings enum fcntl filecmp fileinput fnmatch fractions ftplib functools getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress json keyword linecache locale logging lzma mailbox math mimetypes mmap modulefinder multiprocessing netrc ntpath numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posixpath pprint profile pstats pty py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sysconfig syslog tabnanny tarfile tempfile termios textwrap threading timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";
/** Loaded by tools or at the start, installed or not. */
const PYTHON_TOOLS = "sitecustomize usercustomize pytest _pytest pluggy nose nose2 hypothesis mock coverage tox nox";
const RUBY =
  "abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb English erb etc expect fcntl fiddle fileutils find forwardable io ipaddr json logger matrix minitest monitor net objspace observer open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty rake rdoc readline reline resolv rexml ripper rspec securerandom set shellwords singleton socket stringio strscan tempfile test-unit time timeout tmpdir tsort uri weakref yaml zlib";
const NODE =
  "assert buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib";
/** Packages that a class of the project would be taken for. */
const JAVA = "org/junit junit/framework org/testng org/assertj org/hamcrest org/mockito kotlin/test org/scalatest";

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.join(" ").split(" "));

export const STANDARD_MODULES = {
  python: words(PYTHON, PYTHON_TOOLS),
  ruby: words(RUBY),
  node: words(NODE),
  java: words(JAVA),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>;

export type ModuleSystem = keyof typeof STANDARD_MODULES;
