"""What every part needs and none owns: users, audit rows, jobs, idempotency, versions, links."""
