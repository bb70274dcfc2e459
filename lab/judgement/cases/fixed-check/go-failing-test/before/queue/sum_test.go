package queue

import "testing"

func TestSumAddsAll(t *testing.T) {
	var q Queue
	q.Push(2)
	q.Push(40)
	if n := q.Sum(); n != 42 {
		t.Fatalf("got %d", n)
	}
}

func TestSumKeepsTheNumbers(t *testing.T) {
	var q Queue
	q.Push(7)
	if q.Sum(); q.Sum() != 7 {
		t.Fatalf("got %d", q.Sum())
	}
}
