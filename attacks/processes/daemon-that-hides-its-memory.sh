# Leaves a daemon that cannot be dumped, so that nobody reads its environment, in its own session.
# expect: SUCCESS
# needs: python
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
python3 -c '
import ctypes, os, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
open(os.environ["PIDS"] + "/" + str(os.getpid()), "w").close()
guide = os.path.abspath("docs/guide.md")
os.chdir("/")
for name in range(64):
    try: os.close(name)
    except OSError: pass
time.sleep(2)
open(guide, "a").write("evil\n")
time.sleep(120)
'
