// Package classhook is the shortest way to write a hook in Go: a small type
// with a name, a priority, a condition and an action, the way FIM One's class
// hooks are written (FIM-10).
//
//	type ReadOnly struct{ classhook.Pre }
//
//	func (ReadOnly) Name() string  { return "readonly_guard" }
//	func (ReadOnly) Priority() int { return 5 }
//	func (ReadOnly) ShouldTrigger(c *classhook.Context) bool {
//		return strings.HasPrefix(c.ToolName, "sql_")
//	}
//	func (ReadOnly) Execute(_ context.Context, c *classhook.Context) (classhook.Result, error) {
//		return classhook.Result{Block: true, Error: "The organisation is in read-only mode."}, nil
//	}
//
// A Registry holds such hooks and turns them into hooks of the engine, one
// chain for each point. A chain is strictly sequential: lower priority first,
// equal ones in the order of registration, each hook seeing what the ones
// before it have rewritten; the first block ends it. The rule of thumb for
// when to write one: if the wrong behaviour is an incident, it is a hook; if
// it is an annoyance, an instruction will do (FIM-54).
package classhook
