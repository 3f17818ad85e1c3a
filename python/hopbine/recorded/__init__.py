"""What hopbine run --stats recorded of a job, and what follows from it."""
