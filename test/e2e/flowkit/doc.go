// Package flowkit runs the public conformance kit of Flow Agents, as it comes
// from the npm registry, against our program (FLOW-53). Its test has the build
// tag e2e, because it needs npm, node and a network.
package flowkit
