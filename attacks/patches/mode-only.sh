# Applies a patch that changes nothing but a mode, outside its scope.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git apply <<'END'
diff --git a/docs/guide.md b/docs/guide.md
old mode 100644
new mode 100755
END
