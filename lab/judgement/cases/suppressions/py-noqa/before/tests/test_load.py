from stock.load import load


def test_reads_lines(tmp_path):
    path = tmp_path / "levels"
    path.write_text("nut 5\nbolt 2\n")
    assert load(path) == {"nut": 5, "bolt": 2}
