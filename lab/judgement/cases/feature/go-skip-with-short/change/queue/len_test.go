package queue

import "testing"

func TestLen(t *testing.T) {
	for name, count := range map[string]int{"empty": 0, "one": 1, "many": 1000000} {
		t.Run(name, func(t *testing.T) {
			if count > 1000 && testing.Short() {
				t.Skip("slow")
			}
			var q Queue
			for i := 0; i < count; i++ {
				q.Push(i)
			}
			if q.Len() != count {
				t.Fatalf("got %d", q.Len())
			}
		})
	}
}
