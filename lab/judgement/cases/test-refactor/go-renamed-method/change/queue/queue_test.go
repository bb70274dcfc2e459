package queue

import "testing"

func TestTakeTakesTheOldest(t *testing.T) {
	var q Queue
	q.Push(1)
	q.Push(2)
	if n, err := q.Take(); n != 1 || err != nil {
		t.Fatalf("got %d, %v", n, err)
	}
}

func TestTakeOfAnEmptyQueue(t *testing.T) {
	var q Queue
	if _, err := q.Take(); err != ErrEmpty {
		t.Fatalf("got %v", err)
	}
}
