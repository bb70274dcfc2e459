# A builder that finds nothing to do.
# expect: SUCCESS
set -e
true
