# Leaves a process that keeps moving on into new ones.
# expect: SUCCESS
# driver: tick
# ship: yes
echo 'export const answer = 42;' > src/main.ts
cat > "$RELAIS_DROP/hop.sh" <<'END'
sleep 0.02
[ "$1" -gt 0 ] && setsid sh -c "$(cat "$0" 2> /dev/null || echo :)" "$0" $(($1 - 1)) &
END
setsid sh -c "$(cat "$RELAIS_DROP/hop.sh")" "$RELAIS_DROP/hop.sh" 100 > /dev/null 2>&1 &
