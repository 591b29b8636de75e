"""Personal data in the columns of this app (`core.privacy` says how it is read)."""

from __future__ import annotations

from core.privacy import HOLDER, OPERATOR, Personal

ORGANIZERS = "owner and organizers"
STAFF = "organizers and referees"
EVERYBODY = "everybody"
GOES = "erasure, or the purge"
NAMED = "kept; names go from it by erasure and purge"

PERSONAL = (
    Personal("tournament.Person", "name", "name", "seats, calls, results, badges",
             "everybody, its middle hidden where the competition masks names", GOES),
    Personal("tournament.Person", "reading", "its pinyin", "finding somebody", STAFF, GOES),
    Personal("tournament.Person", "phone", "phone", "calling somebody who is missed",
             "organizers, one by one and on record", GOES),
    Personal("tournament.Person", "mail birth_year note", "mail, year of birth, a note",
             "news of a place, classes, what he wants known", ORGANIZERS, GOES),
    Personal("tournament.Person", "erased_at", "that he was erased, when", "nothing comes back",
             OPERATOR, "kept"),
    Personal("tournament.Entry", "number unit", "number and unit (代表单位)",
             "draw, seats, results", EVERYBODY,
             "kept: results stand under the number, the draw hangs on the unit; of who left before"
             " a draw the unit goes by erasure"),
    Personal("tournament.Entry",
             "status checked_in_at paid moved_up_at badge_printed_at created_at",
             "when he entered, arrived, paid", "running the day", STAFF,
             "kept, under the number alone"),
    Personal("tournament.Entry", "needs_fixed_table",
             "that he cannot walk from table to table (health)", "a table of his own", STAFF, GOES),
    Personal("tournament.ApartGroup", "name", "a family or group to keep apart",
             "the draw", ORGANIZERS, NAMED + "; the purge deletes it"),
    Personal("tournament.Consent", "text given_at", "what he agreed to, when", "proof of it",
             ORGANIZERS, GOES),
    Personal("tournament.DeviceLink", "label token_hash",
             "whom a link was given to; the link's hash", "opening it, taking it back",
             "organizers and chief referee", f"the label: {GOES}, which ends an entrant's link"),
    Personal("tournament.Invitation", "label token_hash", "whom an invitation was for",
             "knowing whom one invited", ORGANIZERS, "the label: the purge"),
    Personal("tournament.Membership", "role units", "an account's role, a referee's units",
             "rights; not judging one's own", "members",
             "the account is deleted, or the role ends"),
    Personal("tournament.RefereeAway", "begins_at ends_at", "when a referee cannot come",
             "the schedule", STAFF, "the account is deleted, or the role ends"),
    Personal("tournament.ApiToken", "label token_hash last_used_at",
             "a program's token of a member", "acting by a program", HOLDER,
             "the account is deleted"),
    Personal("tournament.ImportBatch", "sheets", "an uploaded list, before it is confirmed",
             "the preview", ORGANIZERS, "a day, or erasure of somebody in it"),
    Personal("tournament.ImportBatch", "undo", "what stood there before an import",
             "undoing it", OPERATOR, "14 days, or erasure of somebody in it"),
    Personal("tournament.Draw", "lines", "of each entrant number, unit, seed, SHA-256 of salt and"
             " name", "that the draw can be verified", EVERYBODY,
             "kept; without the salt no name can be tried out"),
    Personal("tournament.Draw", "salt", "what the names were hashed with", "proving a name",
             "owner, in the full archive", "the first erasure in the competition, or the purge"),
    Personal("tournament.Draw", "words reason", "what was called in the hall; why it was drawn"
             " again", "the draw's seed", EVERYBODY,
             "kept: words are the draw itself, so nobody should call a name; reasons lose names"),
    Personal("tournament.Attendance", "absent_at seated_at", "who was late or absent",
             "the roll", STAFF, "kept, under the number alone"),
    Personal("tournament.Call", "text", "why a table calls", "the referee comes prepared", STAFF,
             NAMED),
    Personal("tournament.ExtraTime", "reason", "why a table got time", "fairness", STAFF, NAMED),
    Personal("tournament.Announcement", "title text", "announcements", "telling people",
             EVERYBODY, NAMED),
    Personal("tournament.Competition", "about", "a text about the competition", "telling people",
             EVERYBODY, NAMED),
    Personal("tournament.Regulation", "text", "regulations", "telling people", EVERYBODY, NAMED),
    Personal("tournament.Registration", "consent fee", "texts of the public form",
             "telling people", EVERYBODY, NAMED),
    Personal("tournament.SchedulePublication", "note", "what a version of the schedule changed",
             "telling people", EVERYBODY, NAMED),
)  # fmt: skip

OTHERS = {
    "tournament.Competition": "code name starts_on ends_on place timezone mask_names capacity"
    " final_minutes events_limit tables_each published_at ended_at keep_days results_on keep_until"
    " told_on purged_at created_at",
    "tournament.Regulation": "competition version created_at",
    "tournament.Event": "competition name position discipline preset options rules_digest frozen_at"
    " prizes games counted_by is_pairs",
    "tournament.Stage": "event kind table_size advance style way hands final_hands minutes"
    " confirmation dealer extra_hands lateness round_count cut closed_at first_two third_table",
    "tournament.Entry": "competition person person_before",
    "tournament.Entry_wants": "entry event",
    "tournament.ApartGroup": "competition",
    "tournament.ApartGroup_entries": "apartgroup entry",
    "tournament.Entrant": "event entry status seed prelim_rank partner",
    "tournament.Room": "competition name position first_place places is_step_free",
    "tournament.Session": "competition name begins_at ends_at",
    "tournament.Round": "stage number name state advance hands minutes is_last is_tie_break"
    " starts_at public_starts_at session clock_started_at published_at confirmed_at final_at",
    "tournament.Table": "round number label seat_count first_dealer zone is_third batch room place"
    " referee public_starts_at public_room public_place public_referee state started_at called_at"
    " confirmed_at final_at",
    "tournament.Seat": "table round position entrant is_filler source source_place place advances"
    " points sat_in_from forfeits stands_for stood_in gap_filled",
    "tournament.Membership": "competition created_at",
    "tournament.DeviceLink": "competition role table entrant entry created_at expires_at"
    " revoked_at",
    "tournament.Invitation": "competition role created_at expires_at revoked_at used_at",
    "tournament.Announcement": "competition is_public for_entrants on_screen publish_at"
    " withdrawn_at edited_at created_at",
    "tournament.ApiToken": "competition for_entrants for_checkin for_hands for_confirm created_at"
    " expires_at revoked_at",
    "tournament.Draw": "stage round_number number list_digest secret secret_hash seed plan log"
    " result absent frozen_at drawn_at published_at",
    "tournament.ExtraTime": "table minutes link created_at voided_at",
    "tournament.Call": "table kind link called_at answered_at answered_link",
    "tournament.Attendance": "round entrant",
    "tournament.ImportBatch": "competition event state sheet start columns ids counts created_at"
    " confirmed_at expires_at",
    "tournament.Registration": "competition is_on opens_at closes_at auto_confirm ask_unit"
    " ask_phone ask_mail ask_birth_year ask_note turned_at",
    "tournament.Consent": "entry",
    "tournament.Batch": "round number session starts_at",
    "tournament.RefereeAway": "referee",
    "tournament.SchedulePublication": "competition number snapshot again published_at withdrawn_at",
    "tournament.ScreenSettings": "competition parts pinned draw step step_seconds auto_since",
    "tournament.Seal": "competition number round is_end rows first last digest made_at",
}
