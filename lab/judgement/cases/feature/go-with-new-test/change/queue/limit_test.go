package queue

import "testing"

func TestTryPushRefusesWhereItIsFull(t *testing.T) {
	q := NewLimited(1)
	if err := q.TryPush(1); err != nil {
		t.Fatal(err)
	}
	if err := q.TryPush(2); err != ErrFull {
		t.Fatalf("got %v", err)
	}
}
