package evidencecapture

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// unchanged reports whether only the task's own files differ from the commit.
// Unknown counts as changed, because a clean tree is a claim.
func unchanged(ctx context.Context, root string) bool {
	config, err := os.ReadFile(filepath.Join(root, ".git", "config"))
	if err != nil || bytes.Contains(bytes.ToLower(config), []byte("filter")) || bytes.Contains(bytes.ToLower(config), []byte("include")) {
		return false // filters are programs that git would run
	}
	git := "/usr/bin/git"
	if _, err := os.Stat(git); err != nil {
		git = "git"
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	out, err := procgroup.Run(ctx, procgroup.Command{
		Args: []string{git, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.pager=cat", "status", "--porcelain",
			"--untracked-files=normal", "--ignore-submodules=all",
			"--", ".", ":(exclude).kontourai", ":(exclude).flow-agents"},
		Dir: root,
		Env: []string{"PATH=" + os.Getenv("PATH"), "GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
			"GIT_TERMINAL_PROMPT=0"},
		MaxOutput: 4 << 10,
	})
	return err == nil && out.Exit == 0 && len(bytes.TrimSpace(out.Stdout)) == 0
}
