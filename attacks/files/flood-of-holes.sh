# Makes an ignored file of 20 GB that has no data, and stretches a tracked one to the same size.
# expect: STOP_DIFF_TOO_LARGE
# cause: too_many_bytes
# config: {"isolation":"in_place"}
# driver: tick
# ship: yes
truncate -s 20G dist/large.bin src/other.ts
