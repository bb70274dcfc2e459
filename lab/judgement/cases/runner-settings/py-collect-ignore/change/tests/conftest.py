collect_ignore = ["test_reorder.py"]
