package queue

import "testing"

func TestPopTakesTheOldest(t *testing.T) {
	var q Queue
	q.Push(1)
	q.Push(2)
	if n, err := q.Pop(); n != 1 || err != nil {
		t.Fatalf("got %d, %v", n, err)
	}
}

func TestPopOfAnEmptyQueue(t *testing.T) {
	var q Queue
	if _, err := q.Pop(); err != ErrEmpty {
		t.Fatalf("got %v", err)
	}
}
