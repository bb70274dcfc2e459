# Does nothing where something was to be done.
# expect: STOP_NO_CHANGE
# task: {"verification": {"fast": ["green"]}}
# ship: yes
:
