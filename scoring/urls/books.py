"""Addresses of books and of all paper."""

from django.urls import path

from scoring.views import books, paper

C = "c/<str:code>/"
B = f"{C}manage/books/"

urlpatterns = [
    path(B, books.books, name="manage_books"),
    path(f"{B}<int:pk>/", books.show, name="manage_book"),
    path(f"{B}<int:pk>.pdf", books.show_pdf, name="manage_book_pdf"),
    path(f"{B}<int:pk>/change/", books.change, name="manage_book_change"),
    path(f"{B}round/<int:pk>/<slug:kind>/", paper.round_paper, name="manage_paper"),
    path(f"{B}certificates/<int:pk>/", paper.certificates, name="manage_certificates"),
    path(f"{C}books/", books.public_books, name="books"),
    path(f"{C}books/<int:pk>/", books.public_book, name="book"),
    path(f"{C}books/<int:pk>.pdf", books.public_pdf, name="book_pdf"),
]
