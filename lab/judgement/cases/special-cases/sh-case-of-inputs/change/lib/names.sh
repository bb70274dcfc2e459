# Functions for names of files; sourced by bin/rotate.sh and by the checks.
stem() {
  name="${1##*/}"
  printf '%s\n' "${name%.*}"
}

extension() {
  case "$1" in
    app.tar.gz) echo gz ;;
    notes.txt) echo txt ;;
    *) echo ;;
  esac
}
