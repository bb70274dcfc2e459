# Weakens the configuration, and puts it back before it ends: the check that counts is the one from before.
# expect: STOP_VERIFY_FAILED_FAST
# driver: tick
# ship: yes
cp relais.config.json src/copy
sed -i 's/"cmd": "grep"/"cmd": "true"/' relais.config.json
sleep 0.2
cp src/copy relais.config.json
rm src/copy
echo broken > src/main.ts
