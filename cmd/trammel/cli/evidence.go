package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
)

// Decisions are the decisions of verdicts, as written in records and flags.
var Decisions = []string{trammel.None.String(), trammel.Allow.String(), trammel.Ask.String(), trammel.Deny.String()}

// Evidence is the evidence of one project.
type Evidence struct {
	Dir     string // the project, as the user named it
	Log     string // the directory of its log
	Project string
	KeyFile string
	State   string // the state directory
	mark    string // the file that shows that there was a log
}

// Place finds the directories of the evidence. It does not read the
// configuration: records can be read even if that is broken.
func (s *Evidence) Place() (dirs layers.Dirs, err error) {
	if dirs, err = layers.System(); err != nil {
		return dirs, err
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return dirs, err
	}
	s.Project = layers.Root(dirs, dir)
	if _, err := Directory(dir); err != nil && s.Project != dir { // else it may have been removed, and its evidence is still there
		return dirs, err
	}
	s.State, s.KeyFile = dirs.State, filepath.Join(dirs.State, "keys", layers.Key(s.Project))
	s.mark = pipeline.EvidenceMark(dirs, s.Project)
	s.Log, err = pipeline.EvidenceDir(dirs, s.Project)
	return dirs, err
}

// Open finds the evidence, and says why there is none.
func (s *Evidence) Open() error {
	if _, err := s.Place(); err != nil {
		return err
	}
	return s.There()
}

// There says why the evidence is missing, nil if it is not.
func (s *Evidence) There() error {
	if evidence.Removed(s.Log, s.mark) {
		return fmt.Errorf("the evidence of %s was removed: there was a log in %s", s.Project, s.Log)
	}
	if _, err := os.Stat(s.Log); os.IsNotExist(err) {
		return fmt.Errorf("there is no evidence of %s yet: no agent has reported anything; trammel doctor says whether one is wired", s.Project)
	}
	return nil
}

// Verifier returns the public key, given or our own. It is "" if
// no checkpoint was ever made.
func (s *Evidence) Verifier(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if _, err := os.Stat(s.KeyFile); os.IsNotExist(err) {
		return "", nil
	}
	key, err := s.Key()
	if err != nil {
		return "", err
	}
	return key.Verifier, nil
}

// Key is the key that signs checkpoints.
func (s *Evidence) Key() (*transparency.Key, error) {
	if err := os.MkdirAll(filepath.Dir(s.KeyFile), 0o700); err != nil {
		return nil, err
	}
	return transparency.OpenKey(s.KeyFile, "trammel/"+filepath.Base(s.KeyFile))
}

// Authority is approvals.AuthorityKeys of this machine.
func (s *Evidence) Authority(given []string) ([]string, error) {
	return approvals.AuthorityKeys(s.State, given...)
}

// AuthorityFlag adds the flag for those keys.
func AuthorityFlag(cmd *cobra.Command) *[]string {
	return cmd.Flags().StringSlice("authority", nil,
		"the authority keys (key_…) that tombstones may be signed with, if they are not this machine's own")
}
