"""Converts a length on the command line."""

import sys

from units.length import to_metres


def main(argv):
    """Returns the status of the program."""
    value, unit = argv
    try:
        print(to_metres(float(value), unit))
    except KeyError:
        print(f"there is no unit {unit}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
