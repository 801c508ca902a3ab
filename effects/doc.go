// Package effects says what a tool call does: which programs it runs, what
// happens to which files, which hosts it contacts, what is executed as code, which
// environment variables it reads. Nothing else interprets calls: rules, policies,
// explain and evidence all judge the same Set.
//
//	for _, f := range effects.Of(ev).Files {
//		if f.Op == effects.Delete && f.Path.Abs == "/etc" { … }
//	}
//
// A dangerous word that is only data (an echo, a commit message, a search
// pattern) is not an effect. A command behind sudo, xargs, eval, an alias or an
// inline script is one. The tool does not matter: a shell, a file tool, a patch,
// an MCP server with a command somewhere in its arguments.
//
// # Doubts
//
// Nothing is run to find out. Whatever only a running system could know is a
// Doubt: unknown is an input to policy and never means harmless. Anything skipped
// because it is too long, too deep or too much is a Doubt as well, and other
// findings cannot hide it.
//
// # World
//
// Everything that is looked up (links, directories, files, variables, the home
// directory) is looked up through a trammel.World. Events bring their own in
// Event.World; nil is this machine. Package world has one that is plain data.
//
// # Packages
//
//	model      the types of a reading
//	world      the machine, and a frozen one
//	paths      resolving, what patterns match, what a path is: a system tree, a secret, …
//	programs   what programs do with their arguments: a table
//	languages  what inline code does
//	names      names that deceive whoever reads them
//	shell      the interpreter that follows command lines through all of these
//	match      conditions on effects
package effects
