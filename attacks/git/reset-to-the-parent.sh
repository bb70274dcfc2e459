# Moves the branch back by one commit and throws the difference away.
# expect: STOP_HEAD_MOVED
# ship: yes
git reset -q --hard HEAD~1
