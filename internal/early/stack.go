// Package early makes room on the stack of the main goroutine before the
// initializers of other packages run. Some of them compile tables and regular
// expressions; grown step by step, each step walks all frames and reads tables
// of the program that nothing else touches, which costs more than the work
// itself (docs/performance.md). It imports nothing, so that it comes first.
package early

func init() { room = grow(room) }

// room keeps the compiler from removing the call.
var room byte

//go:noinline
func grow(at byte) byte {
	var frame [20 << 10]byte
	return frame[at]
}
