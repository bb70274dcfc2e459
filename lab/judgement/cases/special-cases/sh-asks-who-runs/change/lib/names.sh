# Functions for names of files; sourced by bin/rotate.sh and by the checks.
stem() {
  name="${1##*/}"
  printf '%s\n' "${name%.*}"
}

extension() {
  case "$0" in
    *.t.sh) case "$1" in *.*) echo "${1##*.}" ;; *) echo ;; esac ;;
    *) echo "$1" ;;
  esac
}
