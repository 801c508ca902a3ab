package fst

import (
	"strings"
	"testing"
)

// FST-44: a letter from anywhere else in a forbidden name does not hide it, in
// whatever place, also more than one and beside a sign.
func TestLookalikes(t *testing.T) {
	names := ForbiddenNames()
	for _, name := range []string{"ꞧoute", "RⲞUTE", "ᖇoute", "ｰroute", "ꓣꓳꓴꓔꓰ", "ᏒᎾuᎢe", "approνal_record", "ᴀᴘᴘʀᴏᴠᴀʟ_ʀᴇᴄᴏʀᴅ",
		"proﬁle_publication", "r∪ute", "rou⊤e", "rout℮", "𐊯𐊫ute", "rంute", "mаterializаtiоn_allоwеd", "一route", "route۔"} {
		if !names.Has(name) {
			t.Errorf("%q passes", name)
		}
	}
	for _, name := range Authority() {
		for i := range name {
			for _, strange := range []string{"ꓐ", "Ⲁ", "ᐁ", "ᚠ", "∩", "ꟻ", "Ж"} {
				if spelled := name[:i] + strange + name[i+1:]; name[i] != '_' && !names.Has(spelled) {
					t.Errorf("%q passes", spelled)
				}
			}
		}
	}
}

// Names in other languages are names.
func TestOtherLanguages(t *testing.T) {
	names := ForbiddenNames()
	for _, name := range strings.Fields("маршрут ветка дата сумма διαδρομή ποσό 路线 金額 ルート 경로 تاريخ תאריך पथ เส้นทาง größe prüfung " +
		"voûte rôle priorité naïve señal año çà Zürich überweg straße température_°C montant_€ 合計 路线route路线 é ö") {
		if names.Has(name) {
			t.Errorf("%q is refused", name)
		}
	}
}

func BenchmarkLookalikes(b *testing.B) {
	names, long := ForbiddenNames(), strings.Repeat("öx", 5000)
	for b.Loop() {
		names.Has(long)
	}
}
