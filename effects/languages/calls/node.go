package calls

import "strings"

// NodeModule is the name of a module without the ways to write it.
func NodeModule(name string) string {
	switch name = strings.TrimPrefix(name, "node:"); name {
	case "fs/promises", "fs-extra", "graceful-fs", "memfs", "original-fs":
		return "fs"
	case "path/posix":
		return "path"
	case "node-fetch", "cross-fetch", "isomorphic-fetch":
		return "fetch"
	}
	return name
}

// NodeFunction is the name of a function without the ways to write it: those
// of node:fs and others also end in Sync or are below promises.
func NodeFunction(ref string) string {
	switch ref { // names that can only be meant in one way
	case "execSync", "spawnSync", "execFileSync":
		ref = "child_process." + ref
	case "unlinkSync", "rmSync", "rmdirSync", "writeFileSync", "appendFileSync", "renameSync", "readFileSync":
		ref = "fs." + ref
	}
	module, f, ok := strings.Cut(ref, ".")
	switch {
	case strings.HasSuffix(ref, "constructor.constructor"):
		return "Function"
	case strings.HasSuffix(ref, ".require"):
		return "require"
	case ok && (module == "fs" || module == "child_process" || module == "Deno"):
		if f = strings.TrimPrefix(f, "promises."); f != "Sync" {
			f = strings.TrimSuffix(f, "Sync")
		}
		return module + "." + f
	case strings.HasPrefix(ref, "node:"):
		return NodeModule(ref)
	}
	return ref
}
