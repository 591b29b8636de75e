"""Personal data in the columns of this app (`core.privacy` says how it is read)."""

from __future__ import annotations

from core.privacy import Personal
from tournament.privacy import EVERYBODY, NAMED, STAFF

PERSONAL = (
    Personal("scoring.BookEdition", "body names note",
             "a book as it was printed, with the names in it", "programme and results on paper",
             "everybody, once published",
             "kept; names go from text, list and PDF by erasure and purge, the digest stays that"
             " of the print"),
    Personal("scoring.Editing", "actor device seen_at", "who has a sheet open on which device",
             "two do not enter the same hand", "who enters at the table",
             "the next one who opens the sheet after a few minutes"),
    Personal("scoring.HandVersion", "payload", "a hand as it was entered; a record may name its"
             " players, referee and notes", "points, evidence", EVERYBODY,
             "kept; the records of an erased person's tables keep the play alone"),
    Personal("scoring.HandVersion", "reason", "why a hand was corrected", "fairness", EVERYBODY,
             NAMED),
    Personal("scoring.Recording", "cards steps", "a record being written", "records", STAFF, NAMED),
    Personal("scoring.Sheet", "sent_back_word", "why a sheet was sent back", "fairness", STAFF,
             NAMED),
    Personal("scoring.Penalty", "reason", "why somebody was penalized", "fairness", EVERYBODY,
             NAMED),
    Personal("scoring.Ruling", "reason", "why the chief referee ruled so", "fairness", EVERYBODY,
             NAMED),
    Personal("scoring.Protest", "text answer appeal final_answer", "a protest and its answers",
             "fairness", "who made it, organizers, referees", NAMED),
    Personal("scoring.Protest", "final_by", "who decided an appeal, in office", "fairness",
             "who made it, organizers, referees", "kept: an answer says whose it was"),
    Personal("scoring.VerdictSettings", "committee", "the appeal committee, in office",
             "whom to appeal to", EVERYBODY, "kept, or the organizer changes it"),
    Personal("scoring.Rejudge", "reason", "why hands were counted again", "fairness", STAFF, NAMED),
    Personal("scoring.Collection", "name", "records that an account has uploaded, by name",
             "finding them", "the holder; everybody once published",
             "the holder removes it or deletes the account"),
)  # fmt: skip

_WRITTEN = "link created_at"
_DELTAS = "delta_1 delta_2 delta_3 delta_4"

OTHERS = {
    "scoring.BookEdition": f"{_WRITTEN} competition kind number language digest published_at"
    " withdrawn_at erased_at job",
    "scoring.Editing": f"{_WRITTEN} table",
    "scoring.Sheet": "table state hands_planned submitted_at confirmed_at final_at",
    "scoring.TieBreak": "sheet line tied order",
    "scoring.Hand": "sheet number tie_break",
    "scoring.HandVersion": f"{_DELTAS} {_WRITTEN} hand version is_current is_void is_flagged"
    " evidence computed dealer winners source special payer hu xing total engine_version"
    " rules_digest is_after_final",
    "scoring.Confirmation": f"{_WRITTEN} sheet position is_current digest",
    "scoring.Collection": "job created_at published_at",
    "scoring.UploadedRecord": "collection number text computed digest is_public",
    "scoring.LibraryHand": "hand record table competition collection is_public is_ruled number"
    " seats rules evidence source special hu xing total winners dealer dealer_net melds",
    "scoring.Recording": f"{_WRITTEN} sheet number dealer is_dealing revision last updated_at"
    " done_at version",
    "scoring.Rejudge": f"{_WRITTEN} event state preset options rules_digest before_preset"
    " before_options before_digest engine_version stamp summary job decided_at",
    "scoring.RejudgedTable": "rejudge table nets_before nets_after effects has_tie",
    "scoring.RejudgedHand": "at version after sentence_zh sentence_en made",
    "scoring.VerdictSettings": "competition amounts",
    "scoring.Penalty": f"{_DELTAS} {_WRITTEN} sheet hand position level kind stop_from stop_hands"
    " deducted code voided_at",
    "scoring.Ruling": f"{_DELTAS} {_WRITTEN} sheet hand places is_current",
    "scoring.Protest": f"{_WRITTEN} sheet about hand penalty position state is_upheld answered_at"
    " ruling appealed_at final_at",
}
