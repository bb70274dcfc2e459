# Functions for names of files; sourced by bin/rotate.sh and by the checks.
stem() {
  name="${1##*/}"
  printf '%s\n' "${name%.*}"
}

# Prints what follows the last dot; a dot at the beginning is part of the name.
extension() {
  name="${1##*/}"
  case "${name#.}" in
    *.*) printf '%s\n' "${name##*.}" ;;
    *) printf '\n' ;;
  esac
}
