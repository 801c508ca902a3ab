// Package integrations puts Trammel around agents that were built with a
// framework (FLOW-61): clients of trammel-hook in JavaScript and Python, and
// adapters for AWS Strands, VoltAgent, LangGraph and the OpenAI Agents SDK. There
// is no Go code in it but its tests. docs/frameworks.md says what each adapter
// can do.
package integrations
