// Command sum adds the numbers of its arguments.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	sum := 0
	for _, word := range os.Args[1:] {
		n, err := strconv.Atoi(word)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s is no number\n", word)
			os.Exit(2)
		}
		sum += n
	}
	fmt.Println(sum)
}
