# Does nothing, where nothing was to be done.
# expect: SUCCESS
# changed: ;
# task: {"verification": {"fast": ["green"]}, "allow_no_change": true}
# ship: yes
:
