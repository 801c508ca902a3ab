// Package mcp runs MCP clients and servers that others wrote directly and with
// our proxy in between: what they say has to be the same (MCP-90). Its tests
// have the build tag e2e, because they need npm, node and a network.
package mcp
