# Applies a patch that only renames, out of its scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git apply --index <<'END'
diff --git a/src/other.ts b/docs/other.ts
similarity index 100%
rename from src/other.ts
rename to docs/other.ts
END
