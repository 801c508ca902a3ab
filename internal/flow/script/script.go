// Package script runs hook scripts of others in the contract of Flow Agents:
// the payload on stdin, 0 to allow, 2 to block with the reason on stderr, and
// anything else an error that allows (FLOW-20, FLOW-23).
package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// ErrOutside is returned for a script that lies outside of the directory of
// hooks, also through a link.
var ErrOutside = errors.New("path traversal rejected")

// Find returns the path of a script that is named relative to the directory of
// hooks. One that is not there is os.ErrNotExist.
func Find(dir, name string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("%w: %q", ErrOutside, name)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path, err := files.Inside(root, name)
	switch {
	case errors.Is(err, files.ErrOutside):
		return "", fmt.Errorf("%w: %q", ErrOutside, name)
	case err != nil:
		return "", err
	case !files.Is(path):
		return "", fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	return path, nil
}

// maxOutput is what is taken of each stream of a script.
const maxOutput = 64 << 20

// Run runs a script and says what the contract makes of its end. payload is
// what the script gets, whole what is repeated where the event goes on.
func Run(ctx context.Context, id, path string, payload, whole []byte, env []string) trammel.Reply {
	args, err := command(path)
	if err != nil {
		return open(whole, fmt.Sprintf("[Hook] %s: %v", id, err))
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = filepath.Dir(path)
	}
	out, err := procgroup.Run(ctx, procgroup.Command{Args: args, Dir: dir, Env: env, Stdin: payload, MaxOutput: maxOutput})
	said := strings.TrimRight(string(out.Stderr), "\n")
	switch {
	case err != nil:
		return open(whole, fmt.Sprintf("[Hook] %s failed open: %v", id, err))
	case out.Exit == 2:
		if said == "" {
			said = "[Hook] " + id + " blocked this and gave no reason."
		}
		return trammel.Reply{Exit: 2, Stderr: []byte(said + "\n")}
	case out.Exit != 0:
		return open(whole, strings.TrimLeft(fmt.Sprintf("%s\n[Hook] %s failed open: exit code %d", said, id, out.Exit), "\n"))
	case len(out.Stdout) == 0:
		out.Stdout = whole
	}
	r := trammel.Reply{Stdout: out.Stdout}
	if said != "" {
		r.Stderr = []byte(said + "\n")
	}
	return r
}

// open lets the event go on.
func open(whole []byte, why string) trammel.Reply {
	return trammel.Reply{Stdout: whole, Stderr: []byte(why + "\n")}
}

// loader runs a script that only exports a function, as the reference does. It
// ends by itself, so that all it has written is out.
const loader = `const c=[];process.stdin.on("data",d=>c.push(d)).on("end",async()=>{
const r=await require(process.argv[1]).run(Buffer.concat(c).toString("utf8"),
{truncated:process.env.SA_HOOK_INPUT_TRUNCATED==="1",maxStdin:Number(process.env.SA_HOOK_INPUT_MAX_BYTES)});
const o=r!==null&&typeof r==="object"?r:{stdout:r};
if(o.stderr)process.stderr.write(String(o.stderr));
if(o.stdout!=null)process.stdout.write(String(o.stdout));
process.exitCode=Number(o.exitCode)||0})`

// command is how a script is started: by its extension, or by its first line.
func command(path string) ([]string, error) {
	switch filepath.Ext(path) {
	case ".js", ".cjs":
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		// A script that can be run is run: what it exports may say less.
		if !bytes.Contains(src, []byte("require.main")) && bytes.Contains(src, []byte("exports")) && bytes.Contains(src, []byte("run")) {
			return []string{"node", "-e", loader, path}, nil
		}
		return []string{"node", path}, nil
	case ".mjs":
		return []string{"node", path}, nil
	case ".py":
		return []string{"python3", path}, nil
	case ".sh":
		return []string{"sh", path}, nil
	case ".bash":
		return []string{"bash", path}, nil
	}
	words, err := shebang(path)
	if err != nil {
		return nil, err
	}
	return append(words, path), nil
}

// shebang is the interpreter that a file names in its first line.
func shebang(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := make([]byte, 256)
	n, _ := f.Read(start)
	line, _, _ := strings.Cut(string(start[:n]), "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return nil, fmt.Errorf("%s says by neither extension nor first line what runs it", filepath.Base(path))
	}
	return words, nil
}
