# Opens the file below the overlay by the number of its inode, which root may do without a path.
# expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED
# finding: docs/guide.md
# needs: root
# ship: yes
echo 'export const answer = 42;' > src/main.ts
python3 - "$HOSTILE" <<'END_OF_PYTHON'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
number = os.stat("docs/guide.md").st_ino
mount = os.open(sys.argv[1], os.O_RDONLY)
for kind, body in ((1, struct.pack("=II", number, 0)), (0x81, struct.pack("=QI", number, 0))):
    handle = ctypes.create_string_buffer(struct.pack("=Ii", len(body), kind) + body)
    file = libc.open_by_handle_at(mount, handle, os.O_WRONLY | os.O_APPEND)
    if file >= 0:
        os.write(file, b"evil\n")
END_OF_PYTHON
echo evil >> docs/guide.md
