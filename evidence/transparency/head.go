package transparency

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// headTitle keeps a signed head from being read as a checkpoint.
const headTitle = "trammel-head-v1"

// SignHead signs the statement that a log ends with this record. It is cheap,
// and is for readers that have the records.
func (k *Key) SignHead(seq uint64, hash string) ([]byte, error) {
	return note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%s\n%d\n%s\n", headTitle, k.signer.Name(), seq, hash)}, k.signer)
}

// OpenHead reads the result of SignHead, if it was signed with this key.
func OpenHead(data []byte, verifierKey string) (seq uint64, hash string, err error) {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return 0, "", errVerifier(verifierKey)
	}
	n, err := note.Open(data, note.VerifierList(verifier))
	if err != nil {
		return 0, "", err
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) != 5 || lines[0] != headTitle || lines[1] != verifier.Name() {
		return 0, "", fmt.Errorf("this is not the head of a log of %s", verifier.Name())
	}
	seq, err = strconv.ParseUint(lines[2], 10, 64)
	return seq, lines[3], err
}
