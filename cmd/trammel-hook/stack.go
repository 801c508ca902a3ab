package main

import "os"

// growStack makes room on the stack at once. A parser and its callers need some
// ten kilobytes or two; grown step by step, each step walks all frames and reads
// tables of the program that nothing else touches, which costs more than the
// work itself (docs/performance.md).
//
//go:noinline
func growStack() byte {
	var room [20 << 10]byte
	return room[len(os.Args)&1]
}
