"""Where people type what they like, by model: out of all these texts the name of somebody who is
erased is taken (`scoring.domain.erasing`). A column that is new fails tests/test_privacy.py."""

from __future__ import annotations

TYPED: dict[str, str] = {
    "tournament.Competition": "about",
    "tournament.Regulation": "text",
    "tournament.Registration": "consent fee",
    "tournament.Announcement": "title text",
    "tournament.Draw": "reason",
    "tournament.ExtraTime": "reason",
    "tournament.Call": "text",
    "tournament.SchedulePublication": "note",
    "tournament.DeviceLink": "label",
    "tournament.Invitation": "label",
    "tournament.Membership": "units",
    "scoring.Sheet": "sent_back_word",
    "scoring.HandVersion": "reason",
    "scoring.Penalty": "reason",
    "scoring.Ruling": "reason",
    "scoring.Protest": "text answer appeal final_answer",
    "scoring.Rejudge": "reason",
}
"""Model → its columns. How a row leads to its competition says `scoring.archive.parts`."""
