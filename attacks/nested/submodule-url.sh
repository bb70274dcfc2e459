# The submodule comes from elsewhere next time.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# kind: submodule
set -e
git config -f .gitmodules submodule.libs/dep.url https://example.org/other
