// Package queue holds numbers in the order of their arrival.
package queue

import "errors"

// ErrEmpty is returned where there is nothing to take.
var ErrEmpty = errors.New("queue: empty")

// Queue is ready to use as its zero value.
type Queue struct {
	items []int
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

// Sum adds all numbers.
func (q *Queue) Sum() int {
	return 0
}
