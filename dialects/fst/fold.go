package fst

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps names that a person or a lenient reader could take for each other
// to the same text: case, word separators, width, accents, invisible
// characters, letters of other alphabets that look the same, and the letters
// that look alike in Latin itself (l, I, 1 and O, 0).
//
// It ends after so many letters: a name that is longer than all others need not
// be known to its end.
func fold(s string, most int) string {
	var few [64]byte
	b := few[:0]
	for _, r := range s {
		if r = plain(r); r >= 0 {
			b = utf8.AppendRune(b, r)
			if most--; most < 0 {
				break
			}
		}
	}
	if bytes.Contains(b, []byte("rn")) || bytes.Contains(b, []byte("vv")) {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("rn"), []byte("m")), []byte("vv"), []byte("w"))
	}
	return string(b)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plain is the letter or digit that a character stands for, -1 if for none.
func plain(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		r -= 0xFEE0
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets, 26 capitals and 26 small letters in turn
		r = 'a' + (r-0x1D400)%26
	case r >= 0x24B6 && r <= 0x24E9: // in circles
		r = 'a' + (r-0x24B6)%26
	case r >= 0x249C && r <= 0x24B5: // in brackets
		r = 'a' + r - 0x249C
	case r >= 0x1F110 && r <= 0x1F189: // in brackets, squares and discs, 26 in 32
		if r = (r - 0x1F110) % 32; r > 25 {
			return -1
		}
		r += 'a'
	case r >= 0x1F1E6 && r <= 0x1F1FF: // regional indicators
		r = 'a' + r - 0x1F1E6
	case r >= 0xE0020 && r <= 0xE007E: // tags
		return -1
	}
	if r >= 0x80 {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		r = latin(r)
	}
	switch r = unicode.ToLower(r); {
	case r == 'l', r == '1', r == '|':
		return 'i'
	case r == '0':
		return 'o'
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return r
	}
	return -1 // separators, marks, what cannot be seen
}

// latin takes a letter back to the Latin one that it looks like, if it does.
func latin(r rune) rune {
	r = unicode.ToLower(r)
	if r >= 0x13A0 && r <= 0x13F5 || r >= 0xAB70 && r <= 0xABBF { // Cherokee
		r = unicode.ToUpper(r)
	}
	for i := 0; i < len(alike); {
		group := alike[i:]
		end := strings.IndexByte(group, ' ')
		if end < 0 {
			end = len(group)
		}
		if strings.ContainsRune(group[1:end], r) {
			return rune(group[0])
		}
		i += end + 1
	}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f < 0x80 { // the Kelvin sign, the long s
			return f
		}
	}
	return r
}

// alike are groups: an ASCII letter and small letters that look the same as it
// or nearly so: Latin with marks, phonetic letters, raised and
// lowered ones, small capitals, Greek, Cyrillic, Armenian, Cherokee.
const alike = "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặɑɐᴀᵃₐªαаӑӓᎪ " +
	"bḃḅḇƀɓʙᵇЬьвƅᏴᏏ " +
	"cçćĉċčḉƈɕᴄᶜϲсҫᏟⅽ " +
	"dďđḋḍḏḑḓɖɗᴅᵈԁժᎠⅾ " +
	"eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệɛəᴇᵉₑεеёєҽᎬℯℇ " +
	"fḟƒꜰᶠſϝք " +
	"gĝğġģǧǵḡɡɢᵍցᏀℊ " +
	"hĥħȟḣḥḧḩḫẖʜʰₕһնηнᎻℎ " +
	"iìíîïĩīĭįıǐȉȋḭḯỉịɩɪɨᵢⁱιіїӏاᎥⅰℹ " +
	"jĵǰȷɉᴊʲⱼјյᎫ " +
	"kķǩḱḳḵƙᴋᵏₖκкқӄᏦ " +
	"lĺļľŀłḷḹḻḽɫɭʟˡₗⅼӀℓᏞ " +
	"mḿṁṃɱᴍᵐₘмⅿᎷ " +
	"nñńņňŉǹṅṇṉṋɲɳŋɴⁿₙпոռν" + "ո " +
	"oòóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợɵɔᴏᵒₒºοσоӧօ०০ℴ " +
	"pṕṗƥᴘᵖₚρрҏᏢ " +
	"qɋʠԛզգ " +
	"rŕŗřȑȓṙṛṝṟɍɽʀʳᵣгᎡᏒ " +
	"sśŝşšșṡṣṥṧṩʂꜱˢₛѕտᏚ " +
	"tţťŧțṫṭṯṱẗƭʈᴛᵗₜτтᎢ " +
	"uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữựʉᴜᵘᵤυцսʋ " +
	"vṽṿᴠᵛᵥѵⅴᏙ " +
	"wŵẁẃẅẇẉẘɯᴡʷωԝѡաᎳ " +
	"xẋẍˣₓχхҳⅹ " +
	"yýÿŷȳẏẙỳỵỷỹƴʏʸγуўүყ " +
	"zźżžẑẓẕƶʐᴢᶻζᏃ"
