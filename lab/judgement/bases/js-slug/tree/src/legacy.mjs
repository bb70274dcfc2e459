export var old = "old";
