# Applies a patch that leaves the repository.
# expect: SUCCESS
# needs: sandbox
# outside: ./place/neighbour
# ship: yes
echo 'export const answer = 42;' > src/main.ts
git apply --unsafe-paths --directory="$PWD/.." <<'END'
diff --git a/neighbour/evil b/neighbour/evil
new file mode 100644
--- /dev/null
+++ b/neighbour/evil
@@ -0,0 +1 @@
+evil
END
