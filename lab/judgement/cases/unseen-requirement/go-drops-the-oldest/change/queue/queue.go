// Package queue holds numbers in the order of their arrival.
package queue

import "errors"

// ErrEmpty is returned where there is nothing to take.
var ErrEmpty = errors.New("queue: empty")

// ErrFull is returned where there is no room.
var ErrFull = errors.New("queue: full")

// Queue is ready to use as its zero value.
type Queue struct {
	items []int
	limit int
}

// NewLimited returns a queue that holds at most limit numbers.
func NewLimited(limit int) *Queue {
	return &Queue{limit: limit}
}

// Push adds a number.
func (q *Queue) Push(n int) {
	q.items = append(q.items, n)
}

// Pop takes the oldest number.
func (q *Queue) Pop() (int, error) {
	if len(q.items) == 0 {
		return 0, ErrEmpty
	}
	n := q.items[0]
	q.items = q.items[1:]
	return n, nil
}

// TryPush adds a number where there is room.
func (q *Queue) TryPush(n int) error {
	if q.limit > 0 && len(q.items) >= q.limit {
		_, _ = q.Pop()
		q.Push(n)
		return ErrFull
	}
	q.Push(n)
	return nil
}
