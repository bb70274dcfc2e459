# A dependency is patched in place.
# expect: STOP_SCOPE_VIOLATION_FORBIDDEN
set -e
echo "module.exports = 2;" >node_modules/dep/index.js
