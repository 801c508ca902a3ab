package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/internal/version"
)

// release is what is being made.
type release struct {
	version content.Version
	time    time.Time // of the commit
	targets []string  // goos/goarch
	work    string    // a temporary directory

	programs map[string][]content.File // by target
	shared   []content.File            // license, completions, pages: as they lie in the archives
	files    map[string][]byte         // what is written, and listed in the checksums, by name
	extra    []content.File            // what is written and not listed
}

func newRelease(v string, targets []string) (*release, error) {
	for _, t := range targets {
		if !slices.Contains(strings.Split(allTargets, ","), t) {
			return nil, fmt.Errorf("the target %q is not one of %s", t, allTargets)
		}
	}
	at, err := commitTime()
	if err != nil {
		return nil, err
	}
	if v == "" {
		if v, err = versionOfCommit(); err != nil {
			return nil, err
		}
	}
	if !semver.IsValid("v" + v) {
		return nil, fmt.Errorf("the version is %q, expected one like 1.2.3", v)
	}
	// What "go install" makes has nothing but this constant to tell the plans of
	// one release from those of another.
	if c := content.Version(v); !c.Prerelease() && c.Core() != version.Version {
		return nil, fmt.Errorf("the release is %s, but internal/version says %s: change it in the commit that is tagged", v, version.Version)
	}
	work, err := os.MkdirTemp("", "trammel-dist-*")
	return &release{version: content.Version(v), time: at, targets: targets, work: work, programs: map[string][]content.File{},
		files: map[string][]byte{}}, err
}

// commitTime is SOURCE_DATE_EPOCH or the time of the commit.
func commitTime() (time.Time, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		var err error
		if epoch, err = git("log", "-1", "--format=%ct"); err != nil {
			return time.Time{}, fmt.Errorf("%w; outside of a checkout set SOURCE_DATE_EPOCH and give -version", err)
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, expected seconds since 1970", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// versionOfCommit is the tag of this commit. Without one it is what leads up to
// the next release, with the hash; changes that are not committed are named.
func versionOfCommit() (string, error) {
	changes, err := git("status", "--porcelain")
	if err != nil {
		return "", err
	}
	if tag, err := git("describe", "--tags", "--exact-match", "--match", "v*"); err == nil && changes == "" {
		return strings.TrimPrefix(tag, "v"), nil
	}
	hash, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	v := version.Version
	if !strings.Contains(v, "-") {
		v += "-dev"
	}
	v += ".g" + hash[:12]
	if changes != "" {
		v += ".dirty"
	}
	return v, nil
}

func git(args ...string) (string, error) {
	out, err := output(exec.Command("git", args...))
	return strings.TrimSpace(string(out)), err
}

// output runs a program; if it fails, the error has what it said.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), errors.Join(err, errors.New(strings.TrimSpace(stderr.String()))))
	}
	return out, err
}
