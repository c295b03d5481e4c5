// Checks a log with Go's own code for transparency logs, for tests/client/log/test_tlog.py.
//
// Standard input is JSON, a case; standard output is "ok", or what does not hold. Nothing here
// computes a hash or verifies a signature: golang.org/x/mod/sumdb does.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8 // of a tile

type proof struct {
	Index  int64       `json:"index"`
	Old    int64       `json:"old"`
	Size   int64       `json:"size"`
	Hashes []tlog.Hash `json:"hashes"`
	Valid  bool        `json:"valid"`
}

type tile struct {
	Level int    `json:"level"`
	Index int64  `json:"index"`
	Width int    `json:"width"`
	Path  string `json:"path"`
	Data  []byte `json:"data"`
}

type signedNote struct {
	Key   string `json:"key"`
	Note  string `json:"note"`
	Text  string `json:"text"`
	Valid bool   `json:"valid"`
}

type testCase struct {
	Leaves      [][]byte     `json:"leaves"`
	Roots       []tlog.Hash  `json:"roots"` // by size, from 0
	Inclusion   []proof      `json:"inclusion"`
	Consistency []proof      `json:"consistency"`
	Tiles       []tile       `json:"tiles"`
	Notes       []signedNote `json:"notes"`
}

// stored holds the hashes of a tree in the order of tlog.StoredHashIndex.
type stored []tlog.Hash

func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, 0, len(indexes))
	for _, index := range indexes {
		if index >= int64(len(s)) {
			return nil, fmt.Errorf("no hash %d", index)
		}
		hashes = append(hashes, s[index])
	}
	return hashes, nil
}

func main() {
	var given testCase
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if err := check(given); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ok")
}

func check(given testCase) error {
	hashes, err := checkRoots(given)
	if err != nil {
		return err
	}
	for _, p := range given.Inclusion {
		leaf := tlog.RecordHash(given.Leaves[p.Index])
		err := tlog.CheckRecord(p.Hashes, p.Size, given.Roots[p.Size], p.Index, leaf)
		if (err == nil) != p.Valid {
			return fmt.Errorf("inclusion of %d in %d: %v", p.Index, p.Size, err)
		}
	}
	for _, p := range given.Consistency {
		err := tlog.CheckTree(p.Hashes, p.Size, given.Roots[p.Size], p.Old, given.Roots[p.Old])
		if (err == nil) != p.Valid {
			return fmt.Errorf("consistency of %d with %d: %v", p.Old, p.Size, err)
		}
	}
	if err := checkTiles(given, hashes); err != nil {
		return err
	}
	for _, n := range given.Notes {
		if err := checkNote(n); (err == nil) != n.Valid {
			return fmt.Errorf("note %q: %v", n.Note, err)
		}
	}
	return nil
}

func checkRoots(given testCase) (stored, error) {
	var hashes stored
	for size := range given.Roots {
		// Go's tree of no records has no hash of its own; RFC 6962 has one.
		if size > 0 {
			root, err := tlog.TreeHash(int64(size), hashes)
			if err != nil || root != given.Roots[size] {
				return nil, fmt.Errorf("root of %d: %v, not %v (%v)", size, given.Roots[size], root, err)
			}
		}
		if size < len(given.Leaves) {
			more, err := tlog.StoredHashes(int64(size), given.Leaves[size], hashes)
			if err != nil {
				return nil, err
			}
			hashes = append(hashes, more...)
		}
	}
	return hashes, nil
}

func checkTiles(given testCase, hashes stored) error {
	size := int64(len(given.Leaves))
	for _, t := range given.Tiles {
		expected := tlog.Tile{H: height, L: t.Level, N: t.Index, W: t.Width}
		// The paths of go.sum begin with the height, which C2SP's do not state.
		prefix, path := fmt.Sprintf("tile/%d/", height), "tile/"
		if got := path + expected.Path()[len(prefix):]; got != t.Path {
			return fmt.Errorf("path %s, not %s", t.Path, got)
		}
		data, err := tlog.ReadTileData(expected, hashes)
		if err != nil || string(data) != string(t.Data) {
			return fmt.Errorf("tile %s differs (%v)", t.Path, err)
		}
	}
	if len(given.Tiles) == 0 {
		return nil
	}
	missing := int64(0)
	for _, expected := range tlog.NewTiles(height, 0, size) {
		if !hasTile(given.Tiles, expected) {
			missing++
		}
	}
	if missing > 0 {
		return fmt.Errorf("%d tiles of a tree of %d are missing", missing, size)
	}
	return nil
}

func hasTile(tiles []tile, expected tlog.Tile) bool {
	for _, t := range tiles {
		// Some releases of tlog also list the narrower tiles that a wider one has replaced.
		if t.Level == expected.L && t.Index == expected.N && t.Width >= expected.W {
			return true
		}
	}
	return false
}

func checkNote(given signedNote) error {
	verifier, err := note.NewVerifier(given.Key)
	if err != nil {
		return err
	}
	opened, err := note.Open([]byte(given.Note), note.VerifierList(verifier))
	if err != nil {
		return err
	}
	if opened.Text != given.Text {
		return fmt.Errorf("text %q, not %q", opened.Text, given.Text)
	}
	return nil
}
