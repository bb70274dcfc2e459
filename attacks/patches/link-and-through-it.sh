# Applies a patch that makes a link, and a second one that writes where it leads.
# expect: STOP_UNSAFE_PATH
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git apply <<'END'
diff --git a/src/out b/src/out
new file mode 120000
--- /dev/null
+++ b/src/out
@@ -0,0 +1 @@
+../docs
\ No newline at end of file
END
echo evil > src/out/evil.md
